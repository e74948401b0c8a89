//! Loops over lanes of sixteen numbers: the sums of columns, and the product at the end.
//!
//! Every loop exists once in plain Rust. Where the machine has AVX2, found out when the program runs, the same
//! loop is compiled for it, and the product is written with its instructions. All sums are of integers and none
//! overflows, so both ways give the same bits. This module holds the only `unsafe` code of the project.

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
    /// The fastest way that this machine has.
    #[must_use]
    pub fn detect() -> Simd {
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
        __m256i, _mm256_add_epi32, _mm256_load_si256, _mm256_madd_epi16, _mm256_max_epi16, _mm256_min_epi16,
        _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256, _mm256_store_si256,
    };

    use super::{FULL, Lane};

    #[target_feature(enable = "avx2")]
    pub(super) fn update<const A: usize, const S: usize>(
        into: &mut [Lane],
        from: &[Lane],
        add: [&[Lane]; A],
        sub: [&[Lane]; S],
    ) {
        super::update(into, from, add, sub);
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn add<const A: usize>(into: &mut [Lane], add: [&[Lane]; A]) {
        super::add_all(into, add);
    }

    #[target_feature(enable = "avx2")]
    fn load(lane: &Lane) -> __m256i {
        // SAFETY: a lane is 32 bytes long and aligned to 32.
        unsafe { _mm256_load_si256(std::ptr::from_ref(lane).cast()) }
    }

    /// The squares of two neighbours times their weights, added: `unit * weight` fits 16 bits, and times `unit`
    /// again is what `madd` multiplies and adds in 32.
    #[target_feature(enable = "avx2")]
    fn pairs(units: &Lane, weights: &Lane) -> __m256i {
        let units =
            _mm256_min_epi16(_mm256_max_epi16(load(units), _mm256_setzero_si256()), _mm256_set1_epi16(FULL));
        _mm256_madd_epi16(_mm256_mullo_epi16(units, load(weights)), units)
    }

    #[target_feature(enable = "avx2")]
    pub(super) fn product(units: &[Lane], weights: &[Lane]) -> i64 {
        let weights = &weights[..units.len()];
        let mut sums = [_mm256_setzero_si256(); 2];
        for (units, weights) in units.chunks_exact(2).zip(weights.chunks_exact(2)) {
            sums[0] = _mm256_add_epi32(sums[0], pairs(&units[0], &weights[0]));
            sums[1] = _mm256_add_epi32(sums[1], pairs(&units[1], &weights[1]));
        }
        if let ([.., units], [.., weights], 1) = (units, weights, units.len() % 2) {
            sums[0] = _mm256_add_epi32(sums[0], pairs(units, weights));
        }
        total(_mm256_add_epi32(sums[0], sums[1]))
    }

    #[target_feature(enable = "avx2")]
    fn total(sums: __m256i) -> i64 {
        #[repr(align(32))]
        struct Sums([i32; 8]);
        let mut out = Sums([0; 8]);
        // SAFETY: `out` is 32 bytes long and aligned to 32.
        unsafe { _mm256_store_si256(std::ptr::from_mut(&mut out).cast(), sums) };
        out.0.into_iter().map(i64::from).sum()
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
