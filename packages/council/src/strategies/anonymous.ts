/** A, B, …, Y: no request has more than 25 seats. */
export const label = (place: number) => String.fromCharCode(65 + place);
