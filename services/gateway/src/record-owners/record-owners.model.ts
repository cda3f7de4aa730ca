import { about, nullable, type Static, t, uuid } from '@bursar/contracts/schema'

/** The customer and the institution of a record, by name; null if it has none, or the name is unavailable. */
export const RecordOwner = t.Object(
  {
    id: uuid(),
    accountName: about('The account’s own name; null for a customer', nullable(t.String())),
    customerId: nullable(uuid()),
    customerName: nullable(t.String()),
    participantId: nullable(uuid()),
    institutionName: nullable(t.String()),
  },
  { title: 'RecordOwner' },
)
export type RecordOwner = Static<typeof RecordOwner>
