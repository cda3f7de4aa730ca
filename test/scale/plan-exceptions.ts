import type { PlanExceptions } from './plans'

/** Statements that go over a table or sort, by a part of their text. */
export const planExceptions: PlanExceptions = {}
