import { ListState, NameToScreen, NewListNames, screenName } from '@bursar/contracts/sanctions'
import { internalRoutes, response } from '@bursar/http'
import type { SanctionsDeps } from '../deps'
import { ByListId } from '../lists/internal-lists.routes'
import { toListState } from '../lists/lists'
import { isComparable, nameWords } from './name-words'
import { addNames, matchingNames } from './names'

/** For the operator's tool and the main API (contracts/sanctions.ts): the names of a list, and screening by name. */
export const internalNameRoutes = ({ store, identity, list }: SanctionsDeps) =>
  internalRoutes(identity, '/internal')
    .post(
      '/lists/:id/names',
      async ({ params, body }) => {
        const { first, names } = body
        return toListState(await store.commit((tx) => addNames(tx, Number(params.id), first, names)))
      },
      { params: ByListId, body: NewListNames, response: { 200: response(ListState) } },
    )
    .post(
      '/names/screen',
      async ({ body }) => {
        for (;;) {
          const asked = await list.refresh(store)
          const { id, name, publishedAt, names } = asked.row
          const matches = await matchingNames(store.read, id, body.name)
          // The names of a list are deleted once another is in use.
          if (asked !== (await list.refresh(store))) continue
          const listed = matches.length > 0 || isComparable(nameWords(body.name)) ? names : 0
          return { list: { name, publishedAt: publishedAt.toISOString() }, listed, matches }
        }
      },
      { body: NameToScreen, response: { 200: response(screenName.answer) } },
    )
