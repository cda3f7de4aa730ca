import type { TSchema } from '@sinclair/typebox'
import { Type } from '@sinclair/typebox'

const PageInfo = Type.Object(
  { limit: Type.Integer(), offset: Type.Integer(), total: Type.Integer() },
  { title: 'PageInfo' },
)

/** The schema of a paged list (spec 1, Page info): `{data: [...], pageInfo: {limit, offset, total}}`. */
export const pageOf = <S extends TSchema>(item: S) =>
  Type.Object(
    { data: Type.Array(item), pageInfo: PageInfo },
    item.title === undefined ? {} : { title: `${item.title}Page` },
  )

/** A page's rows with its limit and offset, and the total number of matches. */
export const page = <T>(data: T[], asked: { limit: number; offset: number }, total: number) => ({
  data,
  pageInfo: { limit: asked.limit, offset: asked.offset, total },
})

/** The answer of DELETE (spec 1): `{success: true, message}`. */
export const Deleted = Type.Object({ success: Type.Literal(true), message: Type.String() }, { title: 'Deleted' })

export const deleted = (message: string) => ({ success: true as const, message })
