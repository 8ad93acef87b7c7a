/* Three functions of libm as glibc evaluates them, so that numbers are equal to the bit: musl adds
 * up in another order. Methods and constants come from fdlibm:
 *
 *   Copyright (C) 1993 by Sun Microsystems, Inc. All rights reserved. Developed at SunPro, a Sun
 *   Microsystems, Inc. business. Permission to use, copy, modify, and distribute this software is
 *   freely granted, provided that this notice is preserved.
 *
 * exp, log, log2 and pow are equal in both. On a machine with fused multiply-add glibc uses it:
 * natively the last digit of these and of log1p and expm1 may then differ from machines without it,
 * and from this port. erf and erfc differ by up to 4 units in the last place, sin, cos and tan by
 * 1. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

static const double LN2_HI = 6.93147180369123816490e-01, LN2_LO = 1.90821492927058770002e-10;

static int32_t high_word(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return (int32_t)(bits >> 32);
}

static double with_high_word(double x, int32_t high)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    bits = (uint64_t)(uint32_t)high << 32 | (bits & 0xffffffffu);
    memcpy(&x, &bits, sizeof bits);
    return x;
}

double log10(double x)
{
    static const double IVLN10 = 4.34294481903251816668e-01, LOG10_2HI = 3.01029995663611771306e-01,
                        LOG10_2LO = 3.69423907715893078616e-13;
    int32_t high = high_word(x);
    int k = 0;
    if (!(x > 0) || high >= 0x7ff00000)
        return log(x);
    if (high < 0x00100000) { /* subnormal */
        k = -54;
        x *= 0x1p54;
        high = high_word(x);
    }
    k += (high >> 20) - 1023;
    int i = k < 0;
    double y = k + i;
    x = with_high_word(x, (high & 0x000fffff) | (0x3ff - i) << 20);
    return (y * LOG10_2LO + IVLN10 * log(x)) + y * LOG10_2HI;
}

/* log(1 + x) = k log(2) + log(1 + f), with u = 1 + x and its correction c. */
double log1p(double x)
{
    static const double L1 = 6.666666666666735130e-01, L2 = 3.999999999940941908e-01,
                        L3 = 2.857142874366239149e-01, L4 = 2.222219843214978396e-01,
                        L5 = 1.818357216161805012e-01, L6 = 1.531383769920937332e-01,
                        L7 = 1.479819860511658591e-01;
    int32_t hx = high_word(x), ax = hx & 0x7fffffff, hu = 1;
    double f = x, c = 0;
    int k = 1;
    if (hx < 0x3FDA827A) {
        if (ax >= 0x3ff00000)
            return x == -1 ? -INFINITY : (x - x) / (x - x);
        if (ax < 0x3e200000)
            return ax < 0x3c900000 ? x : x - x * x * 0.5;
        if (hx > 0 || hx <= (int32_t)0xbfd2bec3)
            k = 0;
    } else if (hx >= 0x7ff00000)
        return x + x;
    if (k != 0) {
        double u = hx < 0x43400000 ? 1.0 + x : x;
        hu = high_word(u);
        k = (hu >> 20) - 1023;
        if (hx < 0x43400000)
            c = (k > 0 ? 1.0 - (u - x) : x - (u - 1.0)) / u;
        hu &= 0x000fffff;
        if (hu < 0x6a09e) {
            u = with_high_word(u, hu | 0x3ff00000);
        } else {
            k++;
            u = with_high_word(u, hu | 0x3fe00000);
            hu = (0x00100000 - hu) >> 2;
        }
        f = u - 1.0;
    }
    double half = 0.5 * f * f;
    if (hu == 0) { /* |f| < 2^-20 */
        if (f == 0)
            return k == 0 ? 0 : k * LN2_HI + (c + k * LN2_LO);
        double r = half * (1.0 - 0.66666666666666666 * f);
        return k == 0 ? f - r : k * LN2_HI - ((r - (k * LN2_LO + c)) - f);
    }
    double s = f / (2.0 + f), z = s * s;
    double r1 = z * L1, z2 = z * z, r2 = L2 + z * L3, z4 = z2 * z2, r3 = L4 + z * L5, z6 = z4 * z2;
    double r4 = L6 + z * L7;
    double r = r1 + z2 * r2 + z4 * r3 + z6 * r4;
    if (k == 0)
        return f - (half - s * (half + r));
    return k * LN2_HI - ((half - (s * (half + r) + (k * LN2_LO + c))) - f);
}

/* exp(x) - 1 with x = k log(2) + r, of which c is the error. */
double expm1(double x)
{
    static const double Q1 = -3.33333333333331316428e-02, Q2 = 1.58730158725481460165e-03,
                        Q3 = -7.93650757867487942473e-05, Q4 = 4.00821782732936239552e-06,
                        Q5 = -2.01099218183624371326e-07;
    uint32_t high = (uint32_t)high_word(x);
    bool negative = high >> 31;
    high &= 0x7fffffff;
    double c = 0;
    int k = 0;
    if (high >= 0x4043687A) {
        if (isnan(x) || x > 7.09782712893383973096e+02)
            return x > 0 ? x * 0x1p1023 : x;
        if (negative)
            return -1;
    }
    if (high > 0x3fd62e42) {
        double hi, lo;
        if (high < 0x3FF0A2B2) {
            k = negative ? -1 : 1;
            hi = x - k * LN2_HI;
            lo = k * LN2_LO;
        } else {
            k = (int)(1.44269504088896338700e+00 * x + (negative ? -0.5 : 0.5));
            hi = x - k * LN2_HI;
            lo = k * LN2_LO;
        }
        x = hi - lo;
        c = (hi - x) - lo;
    } else if (high < 0x3c900000) {
        return x;
    }
    double hfx = 0.5 * x, hxs = x * hfx;
    double r1 = 1.0 + hxs * Q1, h2 = hxs * hxs, r2 = Q2 + hxs * Q3, h4 = h2 * h2;
    double r3 = Q4 + hxs * Q5;
    double sum = r1 + h2 * r2 + h4 * r3;
    double t = 3.0 - sum * hfx;
    double e = hxs * ((sum - t) / (6.0 - x * t));
    if (k == 0)
        return x - (x * e - hxs);
    e = x * (e - c) - c;
    e -= hxs;
    if (k == -1)
        return 0.5 * (x - e) - 0.5;
    if (k == 1)
        return x < -0.25 ? -2.0 * (e - (x + 0.5)) : 1.0 + 2.0 * (x - e);
    if (k <= -2 || k > 56)
        return k == 1024 ? (1.0 - (e - x)) * 2.0 * 0x1p1023 - 1.0 : ldexp(1.0 - (e - x), k) - 1.0;
    if (k < 20)
        return ldexp((1.0 - ldexp(1, -k)) - (e - x), k);
    return ldexp((x - (e + ldexp(1, -k))) + 1.0, k);
}
