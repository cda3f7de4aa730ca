import { exampleIds } from '@bursar/contracts/examples'
import { about, byId, nonBlank, oneOf, type Static, t, uuid } from '@bursar/contracts/schema'
import { offsetQuery } from '@bursar/http'
import { country } from '../values'

const custodianStatuses = ['ACTIVE', 'INACTIVE'] as const
export type CustodianStatus = (typeof custodianStatuses)[number]

const status = () => about('INACTIVE ones are not offered to participants', oneOf(custodianStatuses))
const serviceWords = 'What it does for participants, such as CUSTODY and SETTLEMENT'

/** POST /admin/custodian-bank (spec 3: its body is not shown). */
export const NewCustodianBank = t.Object(
  {
    name: nonBlank(255),
    country: country('The ISO 3166-1 code of the country where it is, such as US'),
    services: t.Optional(about(serviceWords, t.Array(nonBlank(50), { maxItems: 20, uniqueItems: true }))),
    status: t.Optional(status()),
  },
  {
    title: 'NewCustodianBank',
    examples: [{ name: 'Summit Trust', country: 'US', services: ['CUSTODY', 'SETTLEMENT'], status: 'ACTIVE' }],
  },
)
export type NewCustodianBank = Static<typeof NewCustodianBank>

/** Spec 3, Custodian. */
export const CustodianBank = t.Object(
  {
    id: uuid(),
    name: t.String(),
    country: about('The ISO 3166-1 code of the country where it is', t.String()),
    services: about(serviceWords, t.Array(t.String())),
    status: status(),
  },
  { title: 'CustodianBank' },
)
export type CustodianBank = Static<typeof CustodianBank>

export const Custodians = t.Object({ data: t.Array(CustodianBank) }, { title: 'Custodians' })

/** GET /admin/custodian-bank. */
export const PageQuery = t.Object(offsetQuery)

export const ByBankId = byId(exampleIds.custodianBank)
