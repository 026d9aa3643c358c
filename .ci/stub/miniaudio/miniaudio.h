// Stands in for miniaudio when Ollama is built for tests: that library decodes
// sound, which no test has. Every call answers that it cannot.
#pragma once
#include <cstddef>

typedef int ma_result;
typedef int ma_format;
typedef unsigned long long ma_uint64;

enum { MA_SUCCESS = 0, MA_ABSENT = -1, ma_format_f32 = 5, ma_encoding_format_wav = 1 };

struct ma_decoder {};
struct ma_decoder_config {};
struct ma_encoder {};
struct ma_encoder_config {};

static inline ma_decoder_config ma_decoder_config_init(int, int, int) { return {}; }
static inline ma_encoder_config ma_encoder_config_init(int, int, int, int) { return {}; }
static inline ma_result ma_decoder_init_memory(const void *, size_t, const ma_decoder_config *, ma_decoder *) { return MA_ABSENT; }
static inline ma_result ma_decoder_get_length_in_pcm_frames(ma_decoder *, ma_uint64 *) { return MA_ABSENT; }
static inline ma_result ma_decoder_read_pcm_frames(ma_decoder *, void *, ma_uint64, ma_uint64 *) { return MA_ABSENT; }
static inline void ma_decoder_uninit(ma_decoder *) {}
static inline ma_result ma_encoder_init_file(const char *, const ma_encoder_config *, ma_encoder *) { return MA_ABSENT; }
static inline ma_result ma_encoder_write_pcm_frames(ma_encoder *, const void *, ma_uint64, ma_uint64 *) { return MA_ABSENT; }
static inline void ma_encoder_uninit(ma_encoder *) {}
