import type { PfiStatus } from '@bursar/contracts/main-api'
import type { TestMainApi } from './harness'

let made = 0
const next = () => ++made

/** A body for POST /participants, of a name of its own. */
export const institution = (fields: object = {}) => ({
  name: `Lakeside Payments ${next()}`,
  email: `treasury@lakeside-${next()}.example`,
  country: 'US',
  businessType: 'BANK',
  registrationNumber: '84-2113907',
  address: { street: '1 Shore Drive', city: 'Chicago', state: 'IL', zipCode: '60601', country: 'US' },
  ...fields,
})

/** A body for POST /admin/custodian-bank, of a name of its own. */
export const bank = (fields: object = {}) => ({ name: `Summit Trust ${next()}`, country: 'US', ...fields })

/** A registered participant. */
export const registered = async (service: TestMainApi, fields: object = {}) =>
  await service.create<{ id: string; name: string; email: string }>('/participants', institution(fields))

/** Moves a participant to a status; the answer. */
export const moved = async (service: TestMainApi, id: string, status: PfiStatus | string, comments?: string) =>
  await service.put(`/admin/pfi/${id}/status`, { status, ...(comments === undefined ? {} : { comments }) })

/** An approved participant. */
export async function approved(service: TestMainApi, fields: object = {}) {
  const participant = await registered(service, fields)
  const { status } = await moved(service, participant.id, 'APPROVED')
  if (status !== 200) throw new Error(`The approval was answered with ${status}`)
  return participant
}
