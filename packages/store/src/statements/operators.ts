/**
 * Drizzle's conditions and orders that mean the same on every database, so that domain files need only this package. No
 * `sum` or `avg`: amounts are text, and are added up in code. Lower-case both sides of `like`.
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
