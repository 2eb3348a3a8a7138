// A film: frames that the page holds, a slider, a play button and the contact sheet.
"use strict";

function startPlayer(player) {
    const frames = JSON.parse(player.querySelector("script").textContent);
    const screen = player.querySelector(".screen");
    const caption = player.querySelector("figcaption");
    const slider = player.querySelector("input");
    const play = player.querySelector(".play");
    const rate = player.querySelector("select");
    if (!slider)
        return;
    let shown = frames.length - 1;
    frames[shown].source = screen.src;
    let timer = null;

    function show(index) {
        shown = (index + frames.length) % frames.length;
        screen.src = frames[shown].source;
        caption.textContent = frames[shown].caption;
        slider.value = shown;
        for (const button of player.querySelectorAll(".sheet button"))
            button.classList.toggle("shown", Number(button.dataset.frame) === shown);
    }

    function stop() {
        clearInterval(timer);
        timer = null;
        play.textContent = "▶";
    }

    function start() {
        stop();
        play.textContent = "❚❚";
        timer = setInterval(() => show(shown + 1), 1000 / Number(rate.value));
    }

    play.addEventListener("click", () => timer ? stop() : start());
    rate.addEventListener("change", () => timer && start());
    slider.addEventListener("input", () => { stop(); show(Number(slider.value)); });
    for (const button of player.querySelectorAll(".sheet button"))
        button.addEventListener("click", () => {
            stop();
            show(Number(button.dataset.frame));
            player.scrollIntoView({block: "nearest"});
        });
    show(shown);
}

document.querySelectorAll(".player").forEach(startPlayer);
