//! Loops over lanes of sixteen numbers: the sums of columns, and the product at the end.
//!
//! Every loop exists in plain Rust, and where the machine has AVX2, found out when the program runs, with its
//! instructions. All sums are of integers and none overflows, so both ways give the same bits. This module holds the only `unsafe` code of the project.

#![allow(unsafe_code)]

/// Sixteen neighbouring units, as wide as a register of AVX2.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(32))]
pub struct Lane(pub [i16; Lane::WIDTH]);

impl Lane {
    /// How many units a lane has.
    pub const WIDTH: usize = 16;
    /// Sixteen times nothing.
    pub const ZERO: Lane = Lane([0; Lane::WIDTH]);
}

/// The value at which a unit is full: 1.0 in the network as it was trained.
pub const FULL: i16 = 255;

/// Which way the loops are run. AVX2 can only be chosen by finding it on this machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simd {
    avx2: bool,
}

impl Simd {
    /// The fastest way that this machine has; the portable one if the environment has `SCURO_SIMD=portable`, to
    /// show that both give the same bits.
    #[must_use]
    pub fn detect() -> Simd {
        if std::env::var_os("SCURO_SIMD").is_some_and(|way| way == "portable") {
            return Simd::portable();
        }
        #[cfg(target_arch = "x86_64")]
        let avx2 = std::arch::is_x86_feature_detected!("avx2");
        #[cfg(not(target_arch = "x86_64"))]
        let avx2 = false;
        Simd { avx2 }
    }

    /// The way that every machine has.
    #[must_use]
    pub fn portable() -> Simd {
        Simd { avx2: false }
    }

    /// The name of this way, for reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        if self.avx2 { "AVX2" } else { "portable" }
    }

    /// `into` becomes `from` with some columns added and others taken away.
    ///
    /// # Panics
    /// If a column or `from` is shorter than `into`.
    #[inline]
    pub fn update<const A: usize, const S: usize>(
        self,
        into: &mut [Lane],
        from: &[Lane],
        add: [&[Lane]; A],
        sub: [&[Lane]; S],
    ) {
        #[cfg(target_arch = "x86_64")]
        if self.avx2 {
            // SAFETY: `avx2` is only ever set by `detect`, which found AVX2 on this machine.
            return unsafe { avx2::update(into, from, add, sub) };
        }
        update(into, from, add, sub);
    }

    /// Adds columns to `into`.
    ///
    /// # Panics
    /// If a column is shorter than `into`.
    #[inline]
    pub fn add<const A: usize>(self, into: &mut [Lane], add: [&[Lane]; A]) {
        #[cfg(target_arch = "x86_64")]
        if self.avx2 {
            // SAFETY: `avx2` is only ever set by `detect`, which found AVX2 on this machine.
            return unsafe { avx2::add(into, add) };
        }
        add_all(into, add);
    }

    /// The sum over all units of `clamp(unit, 0, 255)^2 * weight`. Weights must be within -127..=127.
    ///
    /// # Panics
    /// If there are fewer weights than units.
    #[inline]
    #[must_use]
    pub fn product(self, units: &[Lane], weights: &[Lane]) -> i64 {
        #[cfg(target_arch = "x86_64")]
        if self.avx2 {
            // SAFETY: `avx2` is only ever set by `detect`, which found AVX2 on this machine.
            return unsafe { avx2::product(units, weights) };
        }
        product(units, weights)
    }
}

#[inline(always)]
fn update<const A: usize, const S: usize>(
    into: &mut [Lane],
    from: &[Lane],
    add: [&[Lane]; A],
    sub: [&[Lane]; S],
) {
    let lanes = into.len();
    let (from, add, sub) = (&from[..lanes], add.map(|c| &c[..lanes]), sub.map(|c| &c[..lanes]));
    for i in 0..lanes {
        let mut lane = from[i].0;
        for (k, number) in lane.iter_mut().enumerate() {
            *number = add.iter().fold(*number, |sum, column| sum.wrapping_add(column[i].0[k]));
            *number = sub.iter().fold(*number, |sum, column| sum.wrapping_sub(column[i].0[k]));
        }
        into[i].0 = lane;
    }
}

#[inline(always)]
fn add_all<const A: usize>(into: &mut [Lane], add: [&[Lane]; A]) {
    let lanes = into.len();
    let add = add.map(|c| &c[..lanes]);
    for (i, lane) in into.iter_mut().enumerate() {
        for (k, number) in lane.0.iter_mut().enumerate() {
            *number = add.iter().fold(*number, |sum, column| sum.wrapping_add(column[i].0[k]));
        }
    }
}

/// A product is at most 255 * 255 * 127, so 256 of them fit a sum of 32 bits: networks are at most 2,048 wide.
fn product(units: &[Lane], weights: &[Lane]) -> i64 {
    let weights = &weights[..units.len()];
    let mut sums = [0i32; Lane::WIDTH];
    for (lane, weights) in units.iter().zip(weights) {
        for (sum, (unit, weight)) in sums.iter_mut().zip(lane.0.iter().zip(weights.0)) {
            let unit = (*unit).clamp(0, FULL);
            *sum += i32::from(unit.wrapping_mul(weight)) * i32::from(unit);
        }
    }
    sums.into_iter().map(i64::from).sum()
}

#[cfg(target_arch = "x86_64")]
mod avx2 {
    use std::arch::x86_64::{
        __m256i, _mm256_add_epi16, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16,
        _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_store_si256,
        _mm256_sub_epi16,
    };

    use super::{FULL, Lane};

    /// The lane at a place of a run of lanes.
    ///
    /// # Safety
    /// The place must be inside the run.
    #[target_feature(enable = "avx2")]
    #[inline]
    unsafe fn load(lanes: &[Lane], place: usize) -> __m256i {
        // SAFETY: the caller vouches for the place; a lane is 32 bytes long and aligned to 32.
        unsafe { _mm256_load_si256(lanes.as_ptr().add(place).cast()) }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn update<const A: usize, const S: usize>(
        into: &mut [Lane],
        from: &[Lane],
        add: [&[Lane]; A],
        sub: [&[Lane]; S],
    ) {
        let lanes = into.len();
        let mut least = from.len();
        for column in add {
            least = least.min(column.len());
        }
        for column in sub {
            least = least.min(column.len());
        }
        assert!(least >= lanes, "a column is too short");
        for place in 0..lanes {
            // SAFETY: `place` is below the length of `into`, and no other run is shorter.
            unsafe {
                let mut sum = load(from, place);
                for column in add {
                    sum = _mm256_add_epi16(sum, load(column, place));
                }
                for column in sub {
                    sum = _mm256_sub_epi16(sum, load(column, place));
                }
                _mm256_store_si256(into.as_mut_ptr().add(place).cast(), sum);
            }
        }
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn add<const A: usize>(into: &mut [Lane], add: [&[Lane]; A]) {
        let lanes = into.len();
        for column in add {
            assert!(column.len() >= lanes, "a column is too short");
        }
        for place in 0..lanes {
            // SAFETY: `place` is below the length of `into`, and no column is shorter.
            unsafe {
                let mut sum = load(into, place);
                for column in add {
                    sum = _mm256_add_epi16(sum, load(column, place));
                }
                _mm256_store_si256(into.as_mut_ptr().add(place).cast(), sum);
            }
        }
    }

    /// The squares of two neighbours times their weights, added: `unit * weight` fits 16 bits, and times `unit`
    /// again is what `madd` multiplies and adds in 32.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn pairs(units: __m256i, weights: __m256i) -> __m256i {
        let units =
            _mm256_min_epi16(_mm256_max_epi16(units, _mm256_setzero_si256()), _mm256_set1_epi16(FULL));
        _mm256_madd_epi16(_mm256_mullo_epi16(units, weights), units)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn product(units: &[Lane], weights: &[Lane]) -> i64 {
        let lanes = units.len();
        assert!(weights.len() >= lanes, "too few weights");
        let (mut even, mut odd) = (_mm256_setzero_si256(), _mm256_setzero_si256());
        let mut place = 0;
        // SAFETY: `place`, and with it `place + 1` where that is used, is below the length of both runs.
        unsafe {
            while place + 1 < lanes {
                even = _mm256_add_epi32(even, pairs(load(units, place), load(weights, place)));
                odd = _mm256_add_epi32(odd, pairs(load(units, place + 1), load(weights, place + 1)));
                place += 2;
            }
            if place < lanes {
                even = _mm256_add_epi32(even, pairs(load(units, place), load(weights, place)));
            }
        }
        total(_mm256_add_epi32(even, odd))
    }

    #[target_feature(enable = "avx2")]
    #[inline]
    fn total(sums: __m256i) -> i64 {
        #[repr(align(32))]
        struct Sums([i32; 8]);
        let mut out = Sums([0; 8]);
        // SAFETY: `out` is 32 bytes long and aligned to 32.
        unsafe { _mm256_store_si256(std::ptr::from_mut(&mut out).cast(), sums) };
        let mut total = 0;
        for sum in out.0 {
            total += i64::from(sum);
        }
        total
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scuro_core::Random;

    fn lanes(random: &mut Random, count: usize, least: i16, most: i16) -> Vec<Lane> {
        let width = (i32::from(most) - i32::from(least) + 1) as usize;
        let mut number = || (random.below(width) as i32 + i32::from(least)) as i16;
        (0..count).map(|_| Lane(std::array::from_fn(|_| number()))).collect()
    }

    #[test]
    fn both_ways_give_the_same_bits() {
        let (fast, plain, mut random) = (Simd::detect(), Simd::portable(), Random::new(5));
        for round in 0..2000 {
            let count = 1 + round % 40;
            let columns: Vec<_> = (0..5).map(|_| lanes(&mut random, count, i16::MIN, i16::MAX)).collect();
            let [a, b, c, d, e] = [0, 1, 2, 3, 4].map(|i| &columns[i][..]);
            let (mut x, mut y) = (vec![Lane::ZERO; count], vec![Lane::ZERO; count]);
            fast.update(&mut x, a, [b, c], [d, e]);
            plain.update(&mut y, a, [b, c], [d, e]);
            assert_eq!(x, y);
            fast.add(&mut x, [b, e]);
            plain.add(&mut y, [b, e]);
            assert_eq!(x, y);
            let weights = lanes(&mut random, count, -127, 127);
            assert_eq!(fast.product(&x, &weights), plain.product(&x, &weights));
            let slow: i64 =
                x.iter().zip(&weights).flat_map(|(x, w)| x.0.into_iter().zip(w.0)).fold(0, |sum, (x, w)| {
                    let x = i64::from(x).clamp(0, 255);
                    sum + x * x * i64::from(w)
                });
            assert_eq!(fast.product(&x, &weights), slow);
        }
    }

    #[test]
    fn the_largest_sums_fit() {
        for weight in [-127, 127] {
            let (units, weights) = (vec![Lane([255; 16]); 128], vec![Lane([weight; 16]); 128]);
            for simd in [Simd::detect(), Simd::portable()] {
                assert_eq!(simd.product(&units, &weights), 2048 * 255 * 255 * i64::from(weight));
            }
        }
    }
}
