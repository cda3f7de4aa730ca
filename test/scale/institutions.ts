import { type Series, series } from './fill'

/**
 * How many institutions a deployment has whose lists have so many rows: one for each hundred. A believable upper bound: the
 * million of them that nobody has would be a million customers of this software.
 */
export const institutions = (rows: number): Series => series(1, Math.max(5, Math.floor(rows / 100)))

/** The people who log in: ten for each institution. */
export const people = (rows: number): Series => series(6, Math.max(20, Math.floor(rows / 10)))
