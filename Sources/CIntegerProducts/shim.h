#pragma once
// Products of a matrix of 8-bit numbers with rows of 16-bit ones. Swift cannot compile one function for two processors,
// and the instruction that makes this quick (two products and their sum in one) is missing from the oldest x86-64.
#include <stddef.h>
#include <stdint.h>
#if defined(__x86_64__)
#include <immintrin.h>
#endif

// sums[row * outputs + output] = Σ weights[output * inputs + i] * values[row * inputs + i], in wrapping 32 bits.
static inline void vanorb_products_plain(
    const int8_t *weights, const int16_t *values, int32_t *sums, size_t outputs, size_t inputs, size_t rows) {
    for (size_t row = 0; row < rows; row++) {
        for (size_t output = 0; output < outputs; output++) {
            const int8_t *weight = weights + output * inputs;
            const int16_t *value = values + row * inputs;
            uint32_t sum = 0;
            for (size_t i = 0; i < inputs; i++) sum += (uint32_t)((int32_t)weight[i] * (int32_t)value[i]);
            sums[row * outputs + output] = (int32_t)sum;
        }
    }
}

#if defined(__x86_64__)
// The sum of the eight numbers.
__attribute__((target("avx2"))) static inline int32_t vanorb_sum_avx2(__m256i eight) {
    __m128i four = _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256(eight, 1));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0x4e));
    four = _mm_add_epi32(four, _mm_shuffle_epi32(four, 0xb1));
    return _mm_cvtsi128_si32(four);
}

// One row's outputs from `begin` to `end`.
__attribute__((target("avx2"))) static inline void vanorb_row_avx2(
    const int8_t *weights, const int16_t *values, int32_t *sums, size_t inputs, size_t begin, size_t end) {
    for (size_t output = begin; output < end; output++) {
        const int8_t *weight = weights + output * inputs;
        __m256i even = _mm256_setzero_si256(), odd = even;
        size_t i = 0;
        for (; i + 32 <= inputs; i += 32) {
            const __m256i low = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(weight + i)));
            const __m256i high = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(weight + i + 16)));
            even = _mm256_add_epi32(even, _mm256_madd_epi16(_mm256_loadu_si256((const __m256i *)(values + i)), low));
            odd = _mm256_add_epi32(odd, _mm256_madd_epi16(_mm256_loadu_si256((const __m256i *)(values + i + 16)), high));
        }
        for (; i < inputs; i += 16) {
            const __m256i wide = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(weight + i)));
            even = _mm256_add_epi32(even, _mm256_madd_epi16(_mm256_loadu_si256((const __m256i *)(values + i)), wide));
        }
        sums[output] = vanorb_sum_avx2(_mm256_add_epi32(even, odd));
    }
}

// The outputs from `output` to `end`, two of them by four rows at a time, so that what is loaded is used more than once.
// The last rows and the last output may be computed twice. `inputs` is a multiple of 16.
__attribute__((target("avx2"))) static inline void vanorb_products_avx2(
    const int8_t *weights, const int16_t *values, int32_t *sums, size_t outputs, size_t inputs, size_t rows,
    size_t begin, size_t end) {
    for (size_t row = 0; row < rows; row += 4) {
        if (row + 1 == rows) {
            vanorb_row_avx2(weights, values + row * inputs, sums + row * outputs, inputs, begin, end);
            return;
        }
        const size_t row1 = row + 1 < rows ? row + 1 : rows - 1, row2 = row + 2 < rows ? row + 2 : rows - 1,
                     row3 = row + 3 < rows ? row + 3 : rows - 1;
        const int16_t *value0 = values + row * inputs, *value1 = values + row1 * inputs,
                      *value2 = values + row2 * inputs, *value3 = values + row3 * inputs;
        for (size_t output = begin; output < end; output += 2) {
            const size_t next = output + 1 < end ? output + 1 : output;
            const int8_t *weight0 = weights + output * inputs, *weight1 = weights + next * inputs;
            __m256i sum00 = _mm256_setzero_si256(), sum01 = sum00, sum10 = sum00, sum11 = sum00, sum20 = sum00,
                    sum21 = sum00, sum30 = sum00, sum31 = sum00;
            for (size_t i = 0; i < inputs; i += 16) {
                const __m256i wide0 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(weight0 + i)));
                const __m256i wide1 = _mm256_cvtepi8_epi16(_mm_loadu_si128((const __m128i *)(weight1 + i)));
                __m256i value = _mm256_loadu_si256((const __m256i *)(value0 + i));
                sum00 = _mm256_add_epi32(sum00, _mm256_madd_epi16(value, wide0));
                sum01 = _mm256_add_epi32(sum01, _mm256_madd_epi16(value, wide1));
                value = _mm256_loadu_si256((const __m256i *)(value1 + i));
                sum10 = _mm256_add_epi32(sum10, _mm256_madd_epi16(value, wide0));
                sum11 = _mm256_add_epi32(sum11, _mm256_madd_epi16(value, wide1));
                value = _mm256_loadu_si256((const __m256i *)(value2 + i));
                sum20 = _mm256_add_epi32(sum20, _mm256_madd_epi16(value, wide0));
                sum21 = _mm256_add_epi32(sum21, _mm256_madd_epi16(value, wide1));
                value = _mm256_loadu_si256((const __m256i *)(value3 + i));
                sum30 = _mm256_add_epi32(sum30, _mm256_madd_epi16(value, wide0));
                sum31 = _mm256_add_epi32(sum31, _mm256_madd_epi16(value, wide1));
            }
            sums[row * outputs + output] = vanorb_sum_avx2(sum00);
            sums[row * outputs + next] = vanorb_sum_avx2(sum01);
            sums[row1 * outputs + output] = vanorb_sum_avx2(sum10);
            sums[row1 * outputs + next] = vanorb_sum_avx2(sum11);
            sums[row2 * outputs + output] = vanorb_sum_avx2(sum20);
            sums[row2 * outputs + next] = vanorb_sum_avx2(sum21);
            sums[row3 * outputs + output] = vanorb_sum_avx2(sum30);
            sums[row3 * outputs + next] = vanorb_sum_avx2(sum31);
        }
    }
}
#endif

// The same by the quickest way of this processor. All give the same sums.
static inline void vanorb_products(
    const int8_t *weights, const int16_t *values, int32_t *sums, size_t outputs, size_t inputs, size_t rows) {
    if (!outputs || !rows) return;
#if defined(__x86_64__)
    if (inputs % 16 == 0 && __builtin_cpu_supports("avx2")) {
        // As many weights as stay near to the processor while all rows pass.
        const size_t block = 16;
        for (size_t begin = 0; begin < outputs; begin += block)
            vanorb_products_avx2(
                weights, values, sums, outputs, inputs, rows, begin,
                begin + block < outputs ? begin + block : outputs);
        return;
    }
#endif
    vanorb_products_plain(weights, values, sums, outputs, inputs, rows);
}
