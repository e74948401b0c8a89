//! The names of the cells of a board: `a1` is the upper left corner, `b1` stands to its right.

/// The name of the cell with this number on a board of so many columns; cells are numbered row by row.
pub(super) fn cell_name(cell: u8, columns: u8) -> String {
    format!("{}{}", char::from(b'a' + cell % columns), cell / columns + 1)
}
