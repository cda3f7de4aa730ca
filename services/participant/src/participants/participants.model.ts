import { Account, NewAccount } from '@bursar/contracts/account'
import { Customer, NewCustomer } from '@bursar/contracts/customer'
import { exampleApiKey, exampleIds } from '@bursar/contracts/examples'
import {
  about,
  byId,
  nonBlank,
  nullable,
  optional,
  type Static,
  t,
  text,
  timestamp,
  uuid,
} from '@bursar/contracts/schema'
import { keysetQuery, queryInteger, queryOffset } from '@bursar/http'
import { Kind, TypeRegistry } from '@sinclair/typebox'
import { routerDataProblem } from '../router-data/words'

// A custom type: Elysia's cleaning turns a list or a text into an object before a Record could refuse it.
TypeRegistry.Set('RouterData', (_schema, value) => routerDataProblem(value) === null)
const routerData = () =>
  t.Unsafe<Record<string, unknown> | null>({
    [Kind]: 'RouterData',
    type: ['object', 'null'],
    additionalProperties: true,
    description: 'At most 32 KiB as JSON, and at most 1,000 different keys and values',
    problem: (value: unknown) => routerDataProblem(value) ?? 'must be an object',
  })

/** An account of a customer in a participant's body. It belongs to that customer, whatever its `customerId`. */
export const NestedAccount = t.Object(
  {
    customerId: optional(uuid()),
    type: NewAccount.properties.type,
    status: NewAccount.properties.status,
    name: NewAccount.properties.name,
  },
  { title: 'NestedAccount' },
)
export type NestedAccount = Static<typeof NestedAccount>

/** A customer in a participant's body. */
export const NestedCustomer = t.Object(
  {
    ...NewCustomer.properties,
    accounts: t.Optional(t.Array(NestedAccount, { maxItems: 100 })),
  },
  { title: 'NestedCustomer' },
)
export type NestedCustomer = Static<typeof NestedCustomer>

/** The maximum number of accounts in one body: each is a call of the saga that creates them. */
export const mostNestedAccounts = 1000

const nestedCustomers = () =>
  t.Array(NestedCustomer, {
    maxItems: 1000,
    description: `At most 1,000 customers, with at most 100 accounts each and ${mostNestedAccounts} in all`,
  })

/** POST /participants (spec 3). `authConsumerId` is the participant's API key. */
export const NewParticipant = t.Object(
  {
    institutionName: nonBlank(),
    routerData: t.Optional(routerData()),
    authConsumerId: about('The API key of the participant; unique', text(255)),
    customers: nestedCustomers(),
  },
  {
    title: 'NewParticipant',
    examples: [
      {
        institutionName: 'Alpine Bank',
        authConsumerId: 'sk_test_alpine_bank',
        routerData: { bic: 'ALPNCHZZXXX' },
        customers: [
          {
            externalId: 'alpine-dairy',
            status: 'active',
            accounts: [{ type: 'STABLECOINS', status: 'active', name: 'Main' }],
          },
        ],
      },
    ],
  },
)
export type NewParticipant = Static<typeof NewParticipant>

/** PUT /participants/:id: everything is required. */
export const WholeParticipant = t.Object(
  { ...NewParticipant.properties, routerData: routerData() },
  {
    title: 'WholeParticipant',
    examples: [
      {
        institutionName: 'Harbour Bank',
        authConsumerId: exampleApiKey,
        routerData: { bic: 'HARBDEFFXXX' },
        customers: [],
      },
    ],
  },
)

/** PATCH /participants/:id: only the given fields change. */
export const ParticipantChanges = t.Partial(NewParticipant, {
  title: 'ParticipantChanges',
  examples: [{ routerData: { bic: 'HARBDEFFXXX', cutOff: '16:30' } }],
})
export type ParticipantChanges = Static<typeof ParticipantChanges>

/** A customer with its accounts. */
const ParticipantCustomer = t.Object(
  { ...Customer.properties, accounts: t.Array(Account) },
  { title: 'ParticipantCustomer' },
)

/** Spec 3, Participant, with its customers and their current accounts. */
export const Participant = t.Object(
  {
    id: uuid(),
    institutionName: t.String(),
    authConsumerId: t.String(),
    omnibusAccountId: nullable(uuid()),
    feePayerAccountId: nullable(uuid()),
    customers: t.Array(ParticipantCustomer),
    routerData: routerData(),
    createdAt: timestamp(),
    updatedAt: timestamp(),
    deletedAt: nullable(timestamp()),
  },
  { title: 'Participant' },
)
export type Participant = Static<typeof Participant>

const searched = (description: string) => t.Optional(t.String({ maxLength: 255, description }))

/** GET /participants; an empty filter is ignored. */
export const ParticipantQuery = t.Object({
  institutionName: searched('Part of the name, case-insensitive'),
  address: searched('An on-chain address of one of its accounts, or in its routerData'),
  blockchain: searched('A name in its routerData'),
  routerData: searched('Part of its routerData as JSON text, case-insensitive'),
  limit: queryInteger({ minimum: 0, maximum: 100, default: 10 }),
  offset: queryOffset({ default: 0 }),
  order: keysetQuery.order,
})
export type ParticipantQuery = Static<typeof ParticipantQuery>

export const ById = byId(exampleIds.participant)
