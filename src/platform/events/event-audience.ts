/** Finds the organizations of a person. Implemented by the module that has memberships. */
export abstract class EventAudience {
  /** SQL query of the ids of the tenants of the person `e.person`. */
  abstract readonly tenantsOfPerson: string;
}
