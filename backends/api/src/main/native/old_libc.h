/*
 * Included before the source of every binding: the oldest versions of these functions, so that a
 * binding built here loads where the C library is older.
 */
#if defined(__x86_64__) && defined(__linux__)
__asm__(".symver dlopen,dlopen@GLIBC_2.2.5\n"
        ".symver dlsym,dlsym@GLIBC_2.2.5\n"
        ".symver dlerror,dlerror@GLIBC_2.2.5\n"
        ".symver dlclose,dlclose@GLIBC_2.2.5\n");
#endif
