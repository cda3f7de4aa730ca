import { moneyFailures } from '../movements/money-failures'

/** Why an approval that needs two persons is refused. */
export const approvalRefusals = {
  403: 'It takes two persons, and the caller is no verified user',
  409: 'The same person has approved or entered it, or changed the asset’s price within a day; or: a request with this Idempotency-Key is under way',
}

/** The OpenAPI text about four eyes of an approval. */
export const approvalFailures = {
  description:
    'With FOUR_EYES_USD, one that is worth at least that, or has no rate, takes two persons: the first approval answers ' +
    '202 and changes nothing, the second approves. Whoever entered it is neither, and nobody approves who has changed ' +
    'the asset’s price, code, decimals or network within a day. Worth is by the highest rate of the last 24 hours.',
  responses: moneyFailures(approvalRefusals),
}
