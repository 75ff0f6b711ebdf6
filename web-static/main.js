// SPDX-License-Identifier: MIT
// The page as the server gives it.

import { App } from "./app.js";
import { ServerSource, take_token } from "./source.js";

new App(new ServerSource(take_token(location, sessionStorage, history))).start();
