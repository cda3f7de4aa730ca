import { expect, test } from 'bun:test'
import { actWords } from './act-words'

test.each([
  ['PUT /accounts/:id', 'Change account'],
  ['POST /accounts', 'Create account'],
  ['DELETE /users/:userId', 'Delete user'],
  ['PATCH /categories/:id', 'Change category'],
  ['POST /transactions/:id/fail', 'Fail transaction'],
  ['POST /transactions/:id/approve-frozen-deposit', 'Approve frozen deposit'],
  ['POST /webhooks/endpoints/:id/rotate-secret', 'Rotate secret'],
  ['POST /webhooks/delivery/:deliveryId/replay', 'Replay delivery'],
  ['PUT /admin/pfi/:id/status', 'Change status'],
  ['POST /console/api/session', 'Log in'],
  ['POST /users/mfa/passkeys', 'Add a passkey'],
  ['POST /users/mfa/passkeys/:passkeyId/remove', 'Remove passkey'],
  ['START after a restore', 'Restored from a backup'],
  ['POST (no such route)', 'Unknown route'],
])('%s: %s', (action, words) => expect(actWords(action)).toBe(words))
