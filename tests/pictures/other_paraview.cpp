// int vtkSMProxyManager::GetVersionMinor(), of a ParaView that does not exist.

extern "C" __attribute__((visibility("default"))) int _ZN17vtkSMProxyManager15GetVersionMinorEv();
int _ZN17vtkSMProxyManager15GetVersionMinorEv() { return 99; }
