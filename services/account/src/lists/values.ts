import { type Db, param, prepared, type Statement } from '@bursar/store'

/** How many values a prepared statement takes in one place; 0 is no condition at all. */
const sizes = [0, 1, 10, 100] as const

/** The smallest size that takes them; there are at most 100. */
export const sizeFor = (values: readonly string[] | undefined): number =>
  sizes.find((size) => size >= (values?.length ?? 0)) ?? 100

/** The placeholders of such a place. */
export const places = (name: string, size: number) => Array.from({ length: size }, (_, i) => param(`${name}${i}`))

/** The values for those placeholders; the ones to spare repeat the first, which finds nothing new. */
export function valuesFor(name: string, values: readonly string[] = []): Record<string, string | undefined> {
  return Object.fromEntries(Array.from({ length: sizeFor(values) }, (_, i) => [`${name}${i}`, values[i] ?? values[0]]))
}

type Build<R> = Parameters<typeof prepared<R>>[0]

/** A statement with a few known forms, by sizes: each form is prepared when it is first wanted and kept. */
export function variants<Form extends readonly number[], R>(
  build: (...form: Form) => Build<R>,
): (...form: Form) => (connection: Db) => Statement<R> {
  const known = new Map<string, (connection: Db) => Statement<R>>()
  return (...form) => {
    const key = form.join('|')
    const statement = known.get(key) ?? prepared(build(...form))
    known.set(key, statement)
    return statement
  }
}
