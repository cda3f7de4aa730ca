/** What routes about users answer when the identity manager fails. */
export const userFailures = {
  502: 'The identity manager gave an answer that cannot be used',
  503: 'The identity manager cannot be reached',
  504: 'The identity manager did not answer in time',
}
