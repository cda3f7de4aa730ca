import { expect, test } from 'bun:test'
import { withoutTokens } from './shown-path'

test.each([
  ['/v1/auth/reset-password/abc-_9', '/v1/auth/reset-password/********'],
  ['/identity/v1/auth/change-password/abc/', '/identity/v1/auth/change-password/********/'],
  ['/auth//reset-password/abc?x=1', '/auth//reset-password/********?x=1'],
  ['/auth/change-password//abc', '/auth/change-password/********'],
  ['/auth/change-password/./abc', '/auth/change-password/********'],
  ['/auth/change-password/%2E\\abc', '/auth/change-password/********'],
  ['Cannot GET /auth/reset-password/abc here', 'Cannot GET /auth/reset-password/******** here'],
  ['/v1/auth/forgot-password', '/v1/auth/forgot-password'],
  ['/v1/users/change-password-token', '/v1/users/change-password-token'],
])('%s is shown as %s', (text, shown) => {
  expect(withoutTokens(text)).toBe(shown)
})
