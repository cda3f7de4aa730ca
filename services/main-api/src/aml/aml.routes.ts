import { failuresOf, idempotent, operation, ownKeyOf, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { isOfBank } from '../custodian-banks/bank-accounts'
import type { MainApiDeps } from '../deps'
import { fail } from '../errors'
import { AmlCheckAnswer, AmlRequest, AmlResultAnswer, ByAmlId } from './aml.model'
import { getCheck, makeCheck, storeCheck, toAmlCheck, toAmlResult } from './aml-checks'

/**
 * Spec 3, Main API: PFI module, AML engine; and, not in the specification, reading a check. The rules are in rules.ts.
 */
export function amlRoutes(deps: MainApiDeps) {
  const { store, identity } = deps
  const once = idempotent(deps)
  return new Elysia({ prefix: '/aml-engine', tags: ['AML engine'] })
    .post(
      '/',
      ({ request, set, body }) =>
        once({ request, set }, async (reply) => {
          await refuseOthers(deps, request, body)
          const check = await makeCheck(deps, body)
          return await store.commit(async (tx) => {
            await storeCheck(tx).execute(check)
            return await reply(tx, 201, { data: toAmlResult(check) })
          }, ownKeyOf(request))
        }),
      {
        body: AmlRequest,
        response: { 201: response(AmlResultAnswer) },
        detail: operation('createAmlCheck', 'Check a payment for money laundering', {
          description:
            'Scores the amount, the countries, the customer’s name against the sanctions list, the participant’s ' +
            'payments of the last 24 hours, and missing data. The check is stored.',
          400: 'A field is not valid, including an amount with too many decimals and an impossible birth date',
          404: 'There is no such participant or custodian bank, or it does not belong to the calling custodian',
          ...failuresOf('The sanctions service'),
          503: 'The sanctions service cannot be reached: there is no result',
        }),
      },
    )
    .get(
      '/:amlId',
      async ({ request, params }) => {
        const check = await getCheck(store.read, params.amlId)
        const caller = await identity.read(request)
        const isOfAnother =
          (caller?.participantId && caller.participantId !== check.participantId) ||
          (caller?.custodianId && caller.custodianId !== check.custodianBankId)
        if (isOfAnother) throw fail('NOT_FOUND', { message: 'AML check not found' })
        return { data: toAmlCheck(check) }
      },
      {
        params: ByAmlId,
        response: { 200: response(AmlCheckAnswer) },
        detail: operation('getAmlCheck', 'Get an AML check', {
          description: 'A participant reads its own checks, a custodian bank those of payments through it.',
          404: 'There is no such check, or it is another’s',
        }),
      },
    )
}

/**
 * A custodian bank may check only its own participants, for payments through itself, because the reasons reveal their
 * turnover.
 */
async function refuseOthers(
  { store, identity }: MainApiDeps,
  request: Request,
  { participantId, custodianBankId }: AmlRequest,
): Promise<void> {
  const custodianId = (await identity.read(request))?.custodianId
  if (!custodianId) return
  if (custodianBankId === custodianId && (await isOfBank(store.read, participantId, custodianId))) return
  throw fail('NOT_FOUND', { message: 'The participant has no account at your custodian bank' })
}
