/** An account, or its customer, that no event has told of yet: it must be asked for (lookup.ts). */
export class AccountUnknown extends Error {
  override name = 'AccountUnknown'
  constructor(readonly accountId: string) {
    super(`Account ${accountId} is not known here`)
  }
}
