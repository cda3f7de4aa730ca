/** What routes about the caller's custodian bank answer where there is none (caller-custodian.ts). */
export const custodianFailures = {
  401: 'The request proves neither a user nor a participant',
  404: 'The caller has no custodian bank',
  503: 'The participant service, which knows the API key, cannot be reached',
}
