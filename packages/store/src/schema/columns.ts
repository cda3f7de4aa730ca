import { customType } from 'drizzle-orm/sqlite-core'
import { packText, unpackText } from './packed-text'

export { sql } from 'drizzle-orm'
export {
  type AnySQLiteColumn as AnyColumn,
  index,
  integer,
  primaryKey,
  real,
  sqliteTable as table,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core'

// Drizzle hands null to a column's encoder when it came through a placeholder (null through its own boolean, date and
// JSON columns becomes 0, a TypeError and the text 'null'), so every encoder here lets null by.
const unlessNull =
  <From, To>(encode: (value: From) => To) =>
  (value: From): To =>
    value === null || value === undefined ? (null as To) : encode(value)

/** True or false. */
export const boolean = customType<{ data: boolean; driverData: number }>({
  dataType: () => 'integer',
  toDriver: unlessNull((value) => (value ? 1 : 0)),
  fromDriver: (stored) => stored !== 0,
})

/** A moment, to the millisecond: `Date` in code, milliseconds since 1970 in the file. */
export const timestamp = customType<{ data: Date; driverData: number }>({
  dataType: () => 'integer',
  toDriver: unlessNull((value) => value.getTime()),
  fromDriver: (stored) => new Date(stored),
})

/**
 * Any JSON value but null itself, which is stored as the database's NULL. Where `packing` is given, what it makes of the
 * value is stored.
 */
export const json = <T>(packing: { pack(value: T): unknown; unpack(stored: unknown): T } = asItIs) =>
  customType<{ data: T; driverData: string }>({
    dataType: () => 'text',
    toDriver: unlessNull((value) => JSON.stringify(packing.pack(value))),
    fromDriver: (stored) => packing.unpack(JSON.parse(stored)),
  })()

const asItIs = { pack: (value: unknown) => value, unpack: (stored: unknown) => stored as never }

/**
 * Text that is often a UUID or a hash, in its short form (packed-text.ts). Values that it is compared with are given to
 * `packText` first; it does not sort as the text does.
 */
export const packedText = customType<{ data: string; driverData: string }>({
  dataType: () => 'text',
  toDriver: unlessNull(packText),
  fromDriver: unpackText,
})

/** Text that compares, sorts and is unique without regard to (ASCII) case, such as an asset's code. */
export const code = customType<{ data: string; driverData: string }>({
  dataType: () => 'text collate nocase',
})

/** Raw bytes, such as a part of a file. Keep them small: a row is read and written whole. */
export const bytes = customType<{ data: Uint8Array; driverData: Uint8Array }>({ dataType: () => 'blob' })

/** An amount in minor units: `bigint` in code, decimal text in the file, for 64 bits do not hold 18 decimals. Sum in code. */
export const money = customType<{ data: bigint; driverData: string }>({
  dataType: () => 'text',
  toDriver: unlessNull((value) => value.toString()),
  fromDriver: (stored) => BigInt(stored),
})
