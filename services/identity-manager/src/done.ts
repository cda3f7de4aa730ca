import { t } from '@bursar/contracts/schema'

/** The answer of a route without data. */
export const Done = t.Object({ success: t.Literal(true), message: t.String() }, { title: 'Done' })

export const done = (message: string) => ({ success: true as const, message })
