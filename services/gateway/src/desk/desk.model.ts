import { about, nonBlank, nullable, oneOf, type Static, t, timestamp, uuid } from '@bursar/contracts/schema'
import { idList } from '../id-list'

/** GET and PUT /console/api/desk/preferences */
export const PreferencesModel = t.Object(
  {
    density: t.Optional(oneOf(['compact', 'comfortable'])),
    theme: t.Optional(oneOf(['system', 'light', 'dark'])),
    zone: t.Optional(oneOf(['utc', 'local'])),
  },
  { title: 'ConsolePreferences' },
)
export type Preferences = Static<typeof PreferencesModel>

/** The lists for which views can be saved. */
const pages = ['/console/transactions', '/console/sanctions'] as const
const page = () => oneOf(pages)

export const ViewsQuery = t.Object({ page: page() })

/** POST /console/api/desk/views */
export const NewView = t.Object(
  {
    page: page(),
    name: nonBlank(40),
    query: t.String({ maxLength: 1000, pattern: '^[!-~]*$', patternProblem: 'must be the query of a URL' }),
    isShared: about('For everybody, not for its owner alone', t.Boolean()),
  },
  { title: 'NewSavedView' },
)
export type NewView = Static<typeof NewView>

export const View = t.Object(
  { id: uuid(), name: t.String(), query: t.String(), ownerId: uuid(), isShared: t.Boolean() },
  { title: 'SavedView' },
)

export const ById = t.Object({ id: uuid() })

/** Assignments of several transactions. */
export const AssignmentsQuery = t.Object({ ids: idList() })
export const Assignment = t.Object(
  { transactionId: uuid(), userId: uuid(), assignedBy: uuid(), assignedAt: timestamp() },
  { title: 'ReviewAssignment' },
)
/** A logged-in user who may decide. */
export const Colleague = t.Object({ id: uuid(), name: t.String() }, { title: 'Colleague' })
/** PUT /console/api/review/:id/assignee; null for nobody. */
export const NewAssignee = t.Object({ userId: nullable(uuid()) }, { title: 'NewAssignee' })

/** POST /console/api/review/:id/comments */
export const NewComment = t.Object(
  { text: t.String({ minLength: 1, maxLength: 2000, pattern: '\\S', patternProblem: 'should not be blank' }) },
  { title: 'NewReviewComment' },
)
export const Comment = t.Object(
  { id: uuid(), authorId: uuid(), text: t.String(), createdAt: timestamp() },
  { title: 'ReviewComment' },
)
