import { and, defineList, eq, gte, lt, param, type SQL, sql, unindexed } from '@bursar/store'
import { type ListedRow, listedColumns } from './deliveries'
import { type DeliveryStatus, deliveries } from './deliveries.table'

/** The filters of deliveries; omitted ones match all. */
export interface DeliveryFilter {
  endpointId?: string | undefined
  status?: DeliveryStatus | undefined
  eventType?: string | undefined
  participantId?: string | undefined
  /** The job, message or event. */
  resourceId?: string | undefined
  from?: Date | undefined
  to?: Date | undefined
}

/** The deliveries that match the filters, by age. */
export const deliveryList = defineList({
  id: deliveries.id,
  rows: (db) => db.select(listedColumns).from(deliveries),
  to: (row): ListedRow => row,
  read: ({ from, to, ...filter }: DeliveryFilter) => ({
    form: { named: filterNames.filter((name) => filter[name] !== undefined), lead: leadOf(filter) },
    // Notifications have a delivery per participant: `<id of the event>.<id of the participant>`.
    values: { ...filter, behindResource: `${filter.resourceId}/` },
    time: { from, to },
  }),
  where: (form) => and(...leading(form), ...restOf(form).map((name) => eq(unindexed(columns[name]), param(name)))),
  isSparse: (form) => form.lead !== 'resourceId' && restOf(form).length > 0,
  along: (form) => and(...leading(form)),
  isSorted: ({ lead }) => lead === 'resourceId',
})

const columns = {
  endpointId: deliveries.endpointId,
  eventType: deliveries.eventType,
  participantId: deliveries.participantId,
  status: deliveries.status,
}
type Named = keyof typeof columns
const filterNames = Object.keys(columns) as Named[]

/** The filters of a list, and the one whose index is used. */
type FilterForm = { named: readonly Named[]; lead: Named | 'resourceId' | 'failedOfEndpoint' | 'none' }

/** The most selective filter; its index also gives the order of age. Few deliveries fail, and fewer are pending. */
function leadOf({ resourceId, status, ...filter }: DeliveryFilter): FilterForm['lead'] {
  if (resourceId !== undefined) return 'resourceId'
  if (status === 'failed') return filter.endpointId === undefined ? 'status' : 'failedOfEndpoint'
  if (status === 'pending_retry') return 'status'
  const leads = ['endpointId', 'eventType', 'participantId'] as const
  return leads.find((name) => filter[name] !== undefined) ?? (status === undefined ? 'none' : 'status')
}

/** The condition that the leading index covers. */
function leading({ lead }: FilterForm): SQL[] {
  if (lead === 'none') return []
  if (lead === 'failedOfEndpoint') {
    return [eq(deliveries.endpointId, param('endpointId')), sql`${deliveries.status} = 'failed'`]
  }
  if (lead !== 'resourceId') return [eq(columns[lead], param(lead))]
  return [gte(deliveries.requestId, param('resourceId')), lt(deliveries.requestId, param('behindResource'))]
}

/** The filters besides the leading one. */
const restOf = ({ named, lead }: FilterForm): Named[] => named.filter((name) => !isLed(lead, name))

const isLed = (lead: FilterForm['lead'], name: Named): boolean =>
  lead === name || (lead === 'failedOfEndpoint' && (name === 'endpointId' || name === 'status'))
