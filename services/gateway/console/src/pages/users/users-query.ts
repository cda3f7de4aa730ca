import type { operations } from '#types/identity-manager'
import { givenFilters } from '../../format/filters'
import { type List, useList } from '../../api/list'
import { useQuery } from '../../api/query'
import { dataOf, identity, main } from '../../api/services'

export type UsersQuery = NonNullable<operations['listUsers']['parameters']['query']>
export type User = operations['listUsers']['responses'][200]['content']['application/json']['data'][number]
