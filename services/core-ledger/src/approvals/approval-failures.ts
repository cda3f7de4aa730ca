import { moneyFailures } from '../movements/money-failures'

/** Why an approval that needs two persons is refused. */
export const approvalRefusals = {
  403: 'It needs two persons, and the caller is not a verified user',
  409: 'The same person has approved or entered it, or changed the asset’s price within a day; or: a request with this Idempotency-Key is under way',
}

/** The OpenAPI text about four eyes of an approval. */
export const approvalFailures = {
  description:
    'With FOUR_EYES_USD, a transaction of at least that value, or without a rate, needs two persons: the first approval ' +
    'answers 202 and changes nothing, the second approves. The person who entered it cannot approve it, nor can one who ' +
    'changed the asset’s price, code, decimals or network within a day. The highest rate of the last 24 hours counts.',
  ...moneyFailures(approvalRefusals),
}
