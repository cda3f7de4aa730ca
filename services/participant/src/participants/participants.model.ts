import { Account, NewAccount } from '@bursar/contracts/account'
import { Customer, NewCustomer } from '@bursar/contracts/customer'
import { getParticipantByKeyHash } from '@bursar/contracts/participant'
import { nullable, type Static, t, text, timestamp, uuid } from '@bursar/contracts/schema'
import { queryInteger } from '@bursar/http'
import { Kind, TypeRegistry } from '@sinclair/typebox'

const institutionName = () =>
  t.String({ minLength: 1, maxLength: 255, pattern: '\\S', description: 'should not be blank' })

// A kind of its own: Elysia's cleaning turns a list or a text into an object before a Record could refuse it.
TypeRegistry.Set(
  'RouterData',
  (_schema, value) => value === null || (typeof value === 'object' && !Array.isArray(value)),
)
const routerData = () =>
  t.Unsafe<Record<string, unknown> | null>({
    [Kind]: 'RouterData',
    type: ['object', 'null'],
    additionalProperties: true,
    problem: () => 'must be an object',
  })

/** An account of a customer that stands in a participant. It is that customer's, whatever `customerId` says. */
export const NestedAccount = t.Object({
  customerId: t.Optional(uuid()),
  type: NewAccount.properties.type,
  status: NewAccount.properties.status,
  name: NewAccount.properties.name,
})
export type NestedAccount = Static<typeof NestedAccount>

/** A customer that stands in a participant. */
export const NestedCustomer = t.Object({
  ...NewCustomer.properties,
  accounts: t.Optional(t.Array(NestedAccount, { maxItems: 100 })),
})
export type NestedCustomer = Static<typeof NestedCustomer>

const nestedCustomers = () => t.Array(NestedCustomer, { maxItems: 1000 })

/** POST /participants (spec 3). `authConsumerId` is the participant's API key. */
export const NewParticipant = t.Object({
  institutionName: institutionName(),
  routerData: t.Optional(routerData()),
  authConsumerId: text(255),
  customers: nestedCustomers(),
})
export type NewParticipant = Static<typeof NewParticipant>

/** PUT /participants/:id: everything is required. */
export const WholeParticipant = t.Object({ ...NewParticipant.properties, routerData: routerData() })

/** PATCH /participants/:id: only the fields that are there change. */
export const ParticipantChanges = t.Partial(NewParticipant)
export type ParticipantChanges = Static<typeof ParticipantChanges>

/** Spec 3, Participant, with its customers and their accounts as they stand now. */
export const Participant = t.Object({
  id: uuid(),
  institutionName: t.String(),
  authConsumerId: t.String(),
  omnibusAccountId: nullable(uuid()),
  feePayerAccountId: nullable(uuid()),
  customers: t.Array(t.Object({ ...Customer.properties, accounts: t.Array(Account) })),
  routerData: routerData(),
  createdAt: timestamp(),
  updatedAt: timestamp(),
  deletedAt: nullable(timestamp()),
})
export type Participant = Static<typeof Participant>

const searched = (description: string) => t.Optional(t.String({ maxLength: 255, description }))

/** GET /participants; an empty filter is none. */
export const ParticipantQuery = t.Object({
  institutionName: searched('A part of the name, in any case'),
  address: searched('An on-chain address of one of its accounts, or in its routerData'),
  blockchain: searched('A name in its routerData'),
  routerData: searched('A part of its routerData as JSON text, in any case'),
  limit: queryInteger({ minimum: 0, maximum: 100, default: 10 }),
  offset: queryInteger({ minimum: 0, default: 0 }),
})
export type ParticipantQuery = Static<typeof ParticipantQuery>

export const ById = t.Object({ id: uuid() })

export const ByKeyHash = t.Object({ keyHash: t.String() })

/** Whose key it is, as other services are told. */
export const KeyOwner = getParticipantByKeyHash.answer
export type KeyOwner = Static<typeof KeyOwner>
