import { type Deps, searchRoutes, service } from '@bursar/http'
import { customerPartRoutes, customerRoutes } from './customers/customers.routes'
import { internalCustomerRoutes } from './customers/internal-customers.routes'
import { searchCustomers } from './customers/search'

/** The customer service (spec 3, Customer service): customers and the addresses of their accounts. */
export const createApp = (deps: Deps) =>
  service({
    ...deps,
    name: 'customer',
    description: 'Customers, their status and the addresses of their accounts.',
    shape: 'object',
    tags: { Customers: 'The owners of accounts' },
  })
    .use(customerRoutes(deps))
    .use(customerPartRoutes(deps))
    .use(internalCustomerRoutes(deps))
    .use(searchRoutes(deps, (sought) => searchCustomers(deps.store.read, sought)))
