import type { TSchema } from '@sinclair/typebox'
import { readCall } from './call'
import { type Static, t } from './schema'
import type { ServiceName } from './services'

/**
 * Marks the state of a record in an event or an answer: the newest has the highest epoch, and in it the highest
 * version. A restore of the owner's database begins a new epoch.
 */
export const changeMark = {
  epoch: t.Integer({ minimum: 0 }),
  version: t.Integer({ minimum: 0 }),
}
const mark = t.Object(changeMark)
export type ChangeMark = Static<typeof mark>

/** A page of changed records of an owner. */
const pageOfChanges = <S extends TSchema>(record: S) =>
  t.Object({
    epoch: changeMark.epoch,
    /** In the order of their versions. */
    items: t.Array(t.Object({ version: changeMark.version, record })),
    /** Whether more follow after the last item. */
    more: t.Boolean(),
  })

/** The changed records of an owner, for replicas. Query: `after`, the last known version. */
export const changesCall = <S extends TSchema>(service: ServiceName, path: string, record: S) =>
  readCall(service, 'GET', path, pageOfChanges(record))

/** The answer of a changes call. */
export interface ChangesPage<R> {
  epoch: number
  items: { version: number; record: R }[]
  more: boolean
}
