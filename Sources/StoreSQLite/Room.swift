import GRDB; import Logging
