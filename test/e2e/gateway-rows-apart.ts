// The operations that cannot be tested as all the others, and why.

/** Documented as 404, but the request that this test sends gets another answer. */
export const notBy404: Record<string, number> = {
  // Any well-formed address and network has a list of movements, an empty one.
  'blockchain: GET /addresses/{address}/transactions': 200,
  'core-ledger: GET /api/v1/core/overview/digital-assets/portfolio/networks/{network}': 200,
  // A participant that never registered at the main API has users, too, and no keys there.
  'main-api: GET /participants/{id}/users': 200,
  'main-api: GET /participants/{id}/api-keys': 200,
  // Decisions: a category, and a mapping, that does not exist is 400.
  'quote: GET /categories/{id}': 400,
  'quote: PUT /categories/{id}': 400,
  'quote: DELETE /categories/{id}': 400,
  'quote: DELETE /asset-providers/{assetId}/providers/{providerId}': 400,
  'quote: DELETE /category-providers/{id}/category/{categoryId}': 400,
  // A text of the wrong form for an address, a network, a role of the caller's scope, or a token.
  'blockchain: GET /addresses/{address}': 400,
  'blockchain: POST /simulated/{network}/deposits': 400,
  'identity-manager: POST /users': 400,
  'identity-manager: POST /auth/change-password/{changePasswordToken}': 400,
  'identity-manager: POST /auth/reset-password/{resetPasswordToken}': 400,
  // Nothing to replay for it, which is no error; and an administrator registers endpoints for anybody.
  'webhook: POST /webhooks/delivery/replay-failed': 200,
  'webhook: POST /webhooks/endpoints': 201,
}

/** Needs a mailed secret, or another state than the seed's: gateway-accounts.test.ts sends these. */
export const inStories = [
  'identity-manager: POST /auth/login',
  'identity-manager: POST /auth/refresh',
  'identity-manager: POST /auth/change-password/{changePasswordToken}',
  'identity-manager: POST /auth/reset-password/{resetPasswordToken}',
  'identity-manager: POST /users/register',
  'identity-manager: DELETE /users/sessions/{id}',
  // services/gateway/test/second-factor.test.ts and the identity manager's send these.
  'identity-manager: POST /auth/mfa',
  'identity-manager: POST /auth/mfa/options',
  // Where there is a provider: single-sign-on.test.ts of both.
  'identity-manager: POST /auth/single-sign-on/begin',
  'identity-manager: POST /auth/single-sign-on/complete',
  ...[
    'totp',
    'totp/confirm',
    'totp/remove',
    'recovery-codes',
    'verify',
    'options',
    'passkeys',
    'passkeys/options',
    'passkeys/{passkeyId}/remove',
  ].map((path) => `identity-manager: POST /users/mfa/${path}`),
  // Would replace the key of the seeded institution, which other requests use.
  'main-api: POST /participants/api-key',
  'main-api: GET /participants/api-key',
  'main-api: GET /participants/{id}/api-key',
  'main-api: POST /admin/pfi/{id}/invitation',
  // The chain of these deposits has taken none back: cover.test.ts and reversed-movements.test.ts of the ledger send them.
  'core-ledger: POST /transactions/{id}/cover',
  'core-ledger: POST /balances/account/{accountId}/movements/cover',
]
/** Possible once: the same request without its idempotency key is refused. */
export const onlyOnce = [
  'account: POST /accounts',
  'core-ledger: POST /assets',
  'customer: POST /customers',
  'identity-manager: POST /users',
  'main-api: POST /admin/users',
  'main-api: POST /custodian-bank/users',
  'main-api: POST /participants/{id}/accounts',
  'main-api: POST /admin/custodian-bank',
  'main-api: POST /admin/additional-information',
  'participant: POST /participants',
  'quote: POST /categories',
  'sanctions: POST /sanctions/verify-address',
  'sanctions: POST /sanctions/verify-transaction',
]
