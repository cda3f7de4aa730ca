/**
 * Drizzle's conditions and orders that mean the same on every database, so that a domain file needs no more than this
 * package. No `sum` or `avg`: amounts are text and are added up in code. Where `like` is used, lower both sides.
 */
export {
  and,
  asc,
  between,
  count,
  countDistinct,
  desc,
  eq,
  exists,
  getTableColumns,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  like,
  lt,
  lte,
  max,
  min,
  ne,
  not,
  notExists,
  notInArray,
  or,
  type SQL,
  sql,
} from 'drizzle-orm'
