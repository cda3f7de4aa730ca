import { type Deps, operation, response } from '@bursar/http'
import { Elysia } from 'elysia'
import { customerHistory } from '../history/history'
import { getCustomer } from './customers'
import { ById, CustomerHistory } from './customers.model'

/** Not in the specification: the changes of a customer's status, with their actors and reasons. */
export const historyRoutes = ({ store }: Deps) =>
  new Elysia({ prefix: '/customers', tags: ['Customers'] }).get(
    '/:id/history',
    async ({ params: { id } }) => {
      await getCustomer(store.read, id)
      return await customerHistory.of(store.read, id)
    },
    {
      params: ById,
      response: { 200: response(CustomerHistory) },
      detail: operation('listCustomerHistory', 'List the changes of a customer’s status, oldest first'),
    },
  )
