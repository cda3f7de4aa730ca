/** Why a payment is refused, for the OpenAPI document. */
export const refusals = {
  404: 'The bank account is unknown',
  409: 'The participant is not approved, its credit line does not allow it, or the reference is taken',
  422: 'The account is kept in another currency, or the Idempotency-Key was used for another request',
  502: 'The main API gave an answer that cannot be used',
  503: 'The bank account cannot be looked up right now',
  504: 'The main API did not answer in time',
}

/** Why a change of status is refused. */
export const moveRefusals = {
  409: 'The state table has no such transition, another request came first, a participant is paused, offboarded or deleted, or the transactionHash differs',
}
