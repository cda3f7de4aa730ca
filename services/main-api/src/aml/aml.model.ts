import { exampleIds } from '@bursar/contracts/examples'
import { about, nullable, oneOf, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { currency } from '../values'
import { riskLevels, ruleNames } from './rules'

const detail = (description: string, maxLength: number) =>
  t.Optional(nullable(t.String({ maxLength, format: 'single-line', description })))

/** The payer. Missing, empty or null fields raise the risk (rules.ts). */
export const CustomerData = t.Object(
  {
    firstName: detail('Its first names', 100),
    lastName: detail('Its last name', 100),
    dateOfBirth: detail('Its day of birth, such as 1985-04-12', 10),
    nationality: detail('A country, by its ISO 3166-1 code or its English name', 100),
  },
  { title: 'AmlCustomerData' },
)
export type CustomerData = Static<typeof CustomerData>

/** Body of POST /aml-engine (spec 3, Main API: PFI module). */
export const AmlRequest = t.Object(
  {
    participantId: about('The paying participant', uuid()),
    custodianBankId: about('The custodian bank of the payment', uuid()),
    transactionAmount: t.Number({
      exclusiveMinimum: 0,
      description: 'The amount in the currency’s own unit, with no more decimals than it has',
    }),
    transactionCurrency: currency(),
    customerData: about('The paying customer', CustomerData),
  },
  {
    title: 'AmlRequest',
    examples: [
      {
        participantId: exampleIds.pfi,
        custodianBankId: exampleIds.custodianBank,
        transactionAmount: 1250.5,
        transactionCurrency: 'USD',
        customerData: { firstName: 'Ada', lastName: 'Lovett', dateOfBirth: '1985-04-12', nationality: 'GB' },
      },
    ],
  },
)
export type AmlRequest = Static<typeof AmlRequest>

const Reason = t.Object(
  {
    rule: about('The rule', oneOf(ruleNames)),
    points: t.Integer({ description: 'What it adds to the score' }),
    explanation: t.String({ description: 'What was found, in a sentence for people' }),
  },
  { title: 'AmlReason' },
)

const result = {
  riskLevel: about('LOW below 30 points, MEDIUM below 70, HIGH from 70', oneOf(riskLevels)),
  needConfirm: t.Boolean({ description: 'Whether a person must confirm the payment: where the risk is not LOW' }),
  amlId: about('The id of the check', uuid()),
  score: t.Integer({ minimum: 0, maximum: 100, description: 'The points of all reasons, at most 100' }),
  reasons: about('The parts of the score; empty for 0', t.Array(Reason)),
}

/** Spec 3, AML result. */
const AmlResult = t.Object(result, { title: 'AmlResult' })

/** A stored check. */
export const AmlCheck = t.Object(
  {
    ...result,
    participantId: uuid(),
    custodianBankId: about('The custodian bank of the payment', uuid()),
    transactionAmount: t.String({ description: 'A decimal string in the currency’s own unit' }),
    transactionCurrency: t.String({ description: 'ISO 4217' }),
    rulesVersion: t.String({ description: 'The version of the rules that it was scored by' }),
    createdAt: timestamp(),
  },
  { title: 'AmlCheck' },
)
export type AmlCheck = Static<typeof AmlCheck>

export const AmlResultAnswer = t.Object({ data: AmlResult }, { title: 'AmlResultAnswer' })
export const AmlCheckAnswer = t.Object({ data: AmlCheck }, { title: 'AmlCheckAnswer' })
export const ByAmlId = t.Object({ amlId: about('The id of the check', uuid()) })
