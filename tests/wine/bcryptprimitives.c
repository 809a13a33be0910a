/* bcryptprimitives.dll: random bytes for modules written in Rust; Wine 8 has none. */
#include <windows.h>
#include <ntsecapi.h>

__declspec(dllexport) BOOL WINAPI ProcessPrng(BYTE *bytes, SIZE_T length)
{
    return RtlGenRandom(bytes, length);
}
