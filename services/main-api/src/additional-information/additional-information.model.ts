import { exampleIds } from '@bursar/contracts/examples'
import { about, byId, nonBlank, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { offsetQuery, queryUuid } from '@bursar/http'
import { lines } from '../values'

const key = () => about('What it is about; a participant has one value for each', nonBlank(100))
const value = () => about('The information itself', lines(10_000))

/** POST /admin/additional-information (spec 3: its body is not shown). */
export const NewInformation = t.Object(
  { participantId: uuid(), key: key(), value: value() },
  {
    title: 'NewAdditionalInformation',
    examples: [{ participantId: exampleIds.pfi, key: 'settlement-window', value: '09:00 to 16:30 New York' }],
  },
)
export type NewInformation = Static<typeof NewInformation>

/** PUT /admin/additional-information/:id: only the given fields change. */
export const InformationChanges = t.Object(
  { key: t.Optional(key()), value: t.Optional(value()) },
  { title: 'AdditionalInformationChanges', examples: [{ value: '09:00 to 17:00 New York' }] },
)
export type InformationChanges = Static<typeof InformationChanges>

export const Information = t.Object(
  { id: uuid(), participantId: uuid(), key: key(), value: value(), createdAt: timestamp(), updatedAt: timestamp() },
  { title: 'AdditionalInformation' },
)
export type Information = Static<typeof Information>

/** All information of one participant. */
export const InformationOfParticipant = t.Object(
  { data: about('Oldest first', t.Array(Information)) },
  { title: 'AdditionalInformationOfParticipant' },
)

/** GET /admin/additional-information. */
export const InformationQuery = t.Object({
  ...offsetQuery,
  participantId: t.Optional(about('That of this participant alone', queryUuid())),
})
export type InformationQuery = Static<typeof InformationQuery>

export const ByInformationId = byId(exampleIds.additionalInformation)
