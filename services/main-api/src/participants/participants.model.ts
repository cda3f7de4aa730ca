import { exampleIds } from '@bursar/contracts/examples'
import { emailAddress } from '@bursar/contracts/identity-manager'
import { getKeyState, getPfiState, pfiChanges, pfiStatuses } from '@bursar/contracts/main-api'
import { about, byId, nonBlank, nullable, oneOf, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { keysetQuery, offsetQuery } from '@bursar/http'
import { country } from '../values'

export const Address = t.Object(
  {
    street: nonBlank(255),
    city: nonBlank(100),
    state: t.Optional(nonBlank(100)),
    zipCode: t.Optional(nonBlank(20)),
    country: country('The ISO 3166-1 code of the country, such as US'),
  },
  { title: 'Address' },
)
export type Address = Static<typeof Address>

/** POST /participants (spec 3, PFI module). */
export const NewParticipant = t.Object(
  {
    name: nonBlank(255),
    email: about('The address of its first user, who is invited by mail', emailAddress()),
    country: country('The ISO 3166-1 code of the country where it is registered, such as US'),
    businessType: nonBlank(100),
    registrationNumber: nonBlank(100),
    address: about('Where it is', Address),
  },
  {
    title: 'NewParticipant',
    examples: [
      {
        name: 'Fjord Pay',
        email: 'treasury@fjord.example',
        country: 'NO',
        businessType: 'EMONEY_INSTITUTION',
        registrationNumber: '923609016',
        address: { street: 'Havnegata 7', city: 'Bergen', zipCode: '5003', country: 'NO' },
      },
    ],
  },
)
export type NewParticipant = Static<typeof NewParticipant>

/** PUT /participants/detail: only the given fields change. */
export const ParticipantChanges = t.Partial(NewParticipant, {
  title: 'ParticipantChanges',
  examples: [{ businessType: 'EMONEY_INSTITUTION' }],
})
export type ParticipantChanges = Static<typeof ParticipantChanges>

const status = about('Where its review stands; APPROVED ones take part in payments', oneOf(pfiStatuses))

/** A participant institution (PFI; spec 3: its fields are not shown). */
export const Participant = t.Object(
  {
    id: uuid(),
    name: t.String(),
    email: t.String(),
    country: t.String(),
    businessType: t.String(),
    registrationNumber: t.String(),
    address: about('Where it is', Address),
    status,
    approvedAt: nullable(timestamp()),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { title: 'PfiParticipant' },
)
export type Participant = Static<typeof Participant>

/** Spec 3, Counter party. */
export const CounterParty = t.Object(
  { id: uuid(), name: t.String(), country: t.String(), status },
  { title: 'CounterParty' },
)
export type CounterParty = Static<typeof CounterParty>

export const CounterParties = t.Object({ data: t.Array(CounterParty) }, { title: 'CounterParties' })

const search = () => t.Optional(t.String({ maxLength: 255, description: 'A part of the name, in any case' }))

/** GET /participants/counter-parties; an empty search is ignored. */
export const CounterPartyQuery = t.Object({ search: search() })

/** GET /admin/pfi. */
export const ParticipantQuery = t.Object({
  ...offsetQuery,
  search: search(),
  status: t.Optional(about('Those of this status alone', oneOf(pfiStatuses))),
  order: keysetQuery.order,
})
export type ParticipantQuery = Static<typeof ParticipantQuery>

export const ById = byId(exampleIds.pfi)
export const ByAnyId = t.Object({ id: uuid() })

/** The participant for other services. */
export const PfiState = getPfiState.answer
export const PfiChangesPage = pfiChanges.answer
export const KeyState = getKeyState.answer
