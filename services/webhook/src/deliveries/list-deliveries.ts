import { foldedId } from '@bursar/contracts/schema'
import type { Db } from '@bursar/store'
import { fail } from '../errors'
import type { ListedRow } from './deliveries'
import type { DeliveriesQuery } from './deliveries.model'
import { type DeliveryFilter, deliveryList } from './find-deliveries'

const mostResources = 25

/** A page of deliveries, with their total on request. Fails with 400. */
export async function listDeliveries(
  db: Db,
  { resourceId, limit, order = 'desc', after, count = false, event: eventType, ...filter }: DeliveriesQuery,
  scope: string | null,
): Promise<{ rows: ListedRow[]; total: number | null }> {
  const participantId = filter.participantId === undefined ? undefined : foldedId(filter.participantId)
  if (scope !== null && participantId !== undefined && participantId !== scope) return none(count)
  const common: DeliveryFilter = { ...filter, eventType, participantId: scope ?? participantId }
  const filters = resourcesOf(resourceId).map((id) => ({ ...common, resourceId: id }))
  const found = await Promise.all(filters.map((each) => deliveryList.page(db, each, { order, after, limit })))
  const totals = count ? await Promise.all(filters.map((each) => deliveryList.count(db, each))) : null
  return { rows: merged(found, order).slice(0, limit), total: totals?.reduce((sum, each) => sum + each, 0) ?? null }
}

const none = (count: boolean) => ({ rows: [], total: count ? 0 : null })

/** The resource ids of a query; `[undefined]` for any resource. */
function resourcesOf(text: string | undefined): (string | undefined)[] {
  if (text === undefined) return [undefined]
  const ids = [...new Set(text.split(',').map((id) => foldedId(id.trim())))].filter((id) => id !== '')
  if (ids.length >= 1 && ids.length <= mostResources) return ids
  const message = `resourceId must name 1 to ${mostResources} ids, with commas between them`
  throw fail('RESOURCES_INVALID', { fields: [{ field: 'resourceId', message }] })
}

/** Merges the pages of several resources, by age. */
function merged([first = [], ...others]: ListedRow[][], order: 'asc' | 'desc'): ListedRow[] {
  if (others.length === 0) return first
  const sign = order === 'asc' ? 1 : -1
  return [first, ...others].flat().sort((a, b) => (a.id < b.id ? -sign : sign))
}
