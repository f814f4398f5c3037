/* Runs before the constructors of the libraries do, OpenBLAS's among them, so it stands on system
 * calls and the compiler alone. OpenBLAS takes the environment's word for the core that it is on,
 * and dies of SIGILL where that is another one; and where it cannot map its buffers it tries for
 * ever, in threads that keep the program from ending. */
#include "engine_place.h"

#include <sys/resource.h>
#include <unistd.h>

static const char variable[] = "OPENBLAS_CORETYPE=";
/* Less, and not even one thread could compute: OpenBLAS maps 128 MB for it, malloc 64. */
static const rlim_t least_space = (rlim_t)400 << 20;

static bool same_word(const char *a, const char *b) {
    for (; *a && *b; a++, b++)
        if ((*a | 0x20) != (*b | 0x20))
            return false;
    return *a == *b;
}

/* True if the processor lacks instructions that the kernels of this core use. Not for names that
 * are not known here: a newer library knows better. */
static bool is_lacking(const char *core) {
#if defined(__x86_64__)
    static const char *const avx512[] = {"SkylakeX", "Cooperlake", "SapphireRapids", NULL};
    static const char *const avx2[] = {"Haswell", "Zen", NULL};
    static const char *const fma4[] = {"Bulldozer", "Piledriver", "Steamroller", "Excavator", NULL};
    static const char *const amd[] = {"Opteron", "Athlon", NULL}; /* 3DNow! */
    __builtin_cpu_init();
    for (size_t i = 0; avx512[i]; i++)
        if (same_word(core, avx512[i]))
            return !__builtin_cpu_supports("avx512f") || !__builtin_cpu_supports("avx512dq") ||
                   !__builtin_cpu_supports("avx512bw") || !__builtin_cpu_supports("avx512vl") ||
                   (i > 0 && !__builtin_cpu_supports("avx512bf16"));
    for (size_t i = 0; avx2[i]; i++)
        if (same_word(core, avx2[i]))
            return !__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma");
    for (size_t i = 0; fma4[i]; i++)
        if (same_word(core, fma4[i]))
            return !__builtin_cpu_supports("fma4");
    for (size_t i = 0; amd[i]; i++)
        if (same_word(core, amd[i]))
            return !__builtin_cpu_is("amd");
    if (same_word(core, "SandyBridge"))
        return !__builtin_cpu_supports("avx");
    return same_word(core, "Nehalem") && !__builtin_cpu_supports("sse4.2");
#else
    (void)core;
    return false;
#endif
}

void es_blas_early(char **environment) {
    static const char says[] =
        "embedscope: too little address space to compute in; raise its limit (ulimit -v)\n";
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY &&
        limit.rlim_cur < least_space) {
        ssize_t ignored = write(STDERR_FILENO, says, sizeof says - 1);
        (void)ignored;
        _exit(3);
    }
    for (char **e = environment; e && *e; e++) {
        size_t at = 0;
        while (variable[at] && (*e)[at] == variable[at])
            at++;
        if (!variable[at] && is_lacking(*e + at))
            (*e)[0] = ES_BLAS_IGNORED[0]; /* the library finds nothing and looks for itself */
    }
}
