import { type Build, type Db, prepared, type Statement, type Tells } from './statements'

/** The form of a statement: a small set of words and numbers, never the caller's text. */
export type Form = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>

/**
 * A statement with a few known forms, such as a list's filters and orders: each form is prepared when it is first
 * wanted, and kept.
 *
 *     const pageOf = variants(({ order }: { order: 'asc' | 'desc' }) => (db) => db.select()…)
 *     const rows = await pageOf({ order: 'asc' })(store.read).execute({ limit: 10 })
 */
export function variants<F extends Form>(
  build: (form: F) => Build<unknown>,
  tells: Tells,
): (form: F) => (connection: Db) => Statement<number>
export function variants<F extends Form, R>(build: (form: F) => Build<R>): (form: F) => (connection: Db) => Statement<R>
export function variants<F extends Form>(build: (form: F) => Build<unknown>, tells?: Tells) {
  const known = new Map<string, (connection: Db) => Statement<unknown>>()
  return (form: F) =>
    known.getOrInsertComputed(JSON.stringify(form), () =>
      tells ? prepared(build(form), tells) : prepared(build(form)),
    )
}
