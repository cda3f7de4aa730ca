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
    form: formOf(filter),
    // Notifications have a delivery per participant: `<id of the event>.<id of the participant>`.
    values: { ...filter, behindResource: `${filter.resourceId}/` },
    time: { from, to },
  }),
  where: ({ lead, others }) => and(leads[lead], ...others.map((name) => eq(unindexed(columns[name]), param(name)))),
  isSparse: ({ lead, others }) => lead !== 'resourceId' && others.length > 0,
  along: ({ lead }) => leads[lead],
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

/** The filter whose index is used. */
type Lead = Named | 'resourceId' | 'failedOfEndpoint' | 'none'

const isLedBy = (name: Named) => eq(columns[name], param(name))
const leads: Record<Lead, SQL | undefined> = {
  endpointId: isLedBy('endpointId'),
  eventType: isLedBy('eventType'),
  participantId: isLedBy('participantId'),
  status: isLedBy('status'),
  resourceId: and(gte(deliveries.requestId, param('resourceId')), lt(deliveries.requestId, param('behindResource'))),
  // This repeats the text of a partial index.
  failedOfEndpoint: and(isLedBy('endpointId'), sql`${deliveries.status} = 'failed'`),
  none: undefined,
}

function formOf(filter: DeliveryFilter): { lead: Lead; others: readonly Named[] } {
  const lead = leadOf(filter)
  const led = lead === 'failedOfEndpoint' ? ['endpointId', 'status'] : [lead]
  return { lead, others: filterNames.filter((name) => filter[name] !== undefined && !led.includes(name)) }
}

/** The most selective filter; its index also gives the order of age. Few deliveries fail, and fewer are pending. */
function leadOf({ resourceId, status, ...filter }: DeliveryFilter): Lead {
  if (resourceId !== undefined) return 'resourceId'
  if (status === 'failed') return filter.endpointId === undefined ? 'status' : 'failedOfEndpoint'
  if (status === 'pending_retry') return 'status'
  const leads = ['endpointId', 'eventType', 'participantId'] as const
  return leads.find((name) => filter[name] !== undefined) ?? (status === undefined ? 'none' : 'status')
}
