// Includes STARLING_BODY once, or with STARLING_EACH_NUMBER once for each type of numbers. No include guard.

#ifdef STARLING_EACH_NUMBER
#define STARLING_NUMBER double
#define STARLING_NUMBERS doubles
#include STARLING_BODY
#undef STARLING_NUMBER
#undef STARLING_NUMBERS

#define STARLING_NUMBER float
#define STARLING_NUMBERS floats
#endif

#include STARLING_BODY

#ifdef STARLING_EACH_NUMBER
#undef STARLING_NUMBER
#undef STARLING_NUMBERS
#endif
